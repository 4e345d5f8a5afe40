"""Fills the blocks of README.md between `<!-- NAME -->` and `<!-- end -->` and draws predicted against measured."""
import json
import math
import re
import sys

work, readme, picture = sys.argv[1:]


def text(name):
    return open(f"{work}/{name}").read().rstrip("\n")


def accuracy():
    lines = text("accuracy").splitlines()
    known = {f["family"]: f["median_ape"] for f in json.load(open(f"{work}/known.json"))["families"]}
    table = [l for l in lines if l.startswith("|")]
    skipped = [l for l in lines if l.startswith("skipped")]
    note = f"\nGEMM with the library's schedule known: median {known['gemm']:.1f} %. Single launches: {text('counters')}."
    return "\n".join(table + ([""] + ["    " + l for l in skipped] if skipped else []) + [note])


def fill(page, name, body):
    return re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m: m.group(1) + body + "\n" + m.group(2), page, flags=re.S)


def draw():
    records = [r for r in json.load(open(f"{work}/records.json"))["records"] if "predicted_us" in r]
    families = sorted({r["file"].split("/")[-1].split(".")[0] for r in records})
    colours = ["#3b82f6", "#ef4444", "#10b981", "#f59e0b", "#8b5cf6", "#06b6d4", "#ec4899", "#84cc16", "#64748b", "#f97316"]
    size, left, top = 520, 60, 20
    low, high = 0, 4.3  # decades of microseconds

    def at(us):
        return (math.log10(us) - low) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + size + 180} {top + size + 50}" font-family="sans-serif" font-size="13">',
           '<style>text{fill:#64748b}.f{stroke:#94a3b8;stroke-opacity:.5;fill:none}</style>']
    for d in range(5):
        x = left + d / (high - low) * size
        y = top + size - d / (high - low) * size
        out.append(f'<path class="f" d="M{x:.1f} {top}V{top + size}M{left} {y:.1f}H{left + size}"/>')
        label = ["1 us", "10 us", "100 us", "1 ms", "10 ms"][d]
        out.append(f'<text x="{x:.1f}" y="{top + size + 18}" text-anchor="middle">{label}</text>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for share in (0.9, 1.0, 1.1):
        shift = math.log10(share) / (high - low) * size
        dash = "" if share == 1.0 else ' stroke-dasharray="4 4"'
        out.append(f'<path class="f" d="M{left} {top + size - shift:.1f}L{left + size} {top - shift:.1f}"{dash}/>')
    for r in records:
        family = r["file"].split("/")[-1].split(".")[0]
        x, y = left + at(r["measured_us"]) * size, top + size - at(r["predicted_us"]) * size
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colours[families.index(family) % len(colours)]}" fill-opacity=".75"/>')
    for i, family in enumerate(families):
        out.append(f'<circle cx="{left + size + 20}" cy="{top + 14 + 20 * i}" r="5" fill="{colours[i % len(colours)]}"/>')
        out.append(f'<text x="{left + size + 32}" y="{top + 18 + 20 * i}">{family}</text>')
    out.append(f'<text x="{left + size / 2}" y="{top + size + 40}" text-anchor="middle">measured on an H200, sustained clock (dashed: 10 %)</text>')
    out.append(f'<text transform="translate(14 {top + size / 2}) rotate(-90)" text-anchor="middle">predicted</text></svg>')
    open(picture, "w").write("\n".join(out) + "\n")


def constants():
    """Every number of the GPU file: path, value, source."""
    rows, path = ["| field | value on an H200 | source |", "|---|---|---|"], []
    for line in open("hw/gpus/h200.yaml"):
        found = re.match(r"( *)(\w+):(.*)", line.rstrip())
        if not found:
            continue
        depth = len(found[1]) // 2
        path[depth:] = [found[2]]
        value = re.match(r' \{value: ([^,]+), source: "(.*)"\}', found[3])
        if value:
            rows.append(f"| `{'.'.join(path)}` | {value[1]} | {value[2]} |")
        elif found[3].startswith(" ["):
            rows.append(f"| `{'.'.join(path)}` |{found[3]} | seen on one device; uneven GPCs differ by chip |")
    return "\n".join(rows)


model = open("docs/model.md").read()
open("docs/model.md", "w").write(fill(model, "constants", constants()))
page = open(readme).read()
page = fill(page, "run", "```\n" + text("run") + "\n```")
page = fill(page, "accuracy", accuracy())
open(readme, "w").write(page)
draw()
