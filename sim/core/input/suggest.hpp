// "Did you mean": the nearest of a list of names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rooftile::input {

// Edit distance (insert, delete, replace, swap of neighbours), letters compared without case.
int edit_distance(std::string_view a, std::string_view b);
// The nearest name, or an empty string if none is near enough to be a slip of the pen. First one wins a tie.
std::string nearest(std::string_view wrong, std::span<const std::string> names);
// "x (did you mean y?)" is built by callers from this: " (did you mean `y`?)" or nothing.
std::string did_you_mean(std::string_view wrong, std::span<const std::string> names);
// "a, b, c" and "one of a, b, c" (a single name stands alone): all the names, or the first `limit` of them.
std::string listed(std::span<const std::string> names, std::size_t limit = 20);
std::string one_of(std::span<const std::string> names, std::size_t limit = 20);

}  // namespace rooftile::input
