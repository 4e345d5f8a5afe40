// Bundles the parts of Apache ECharts that the page uses into vendor/echarts.min.js, which is committed so that neither
// the build nor a report needs a network. Run `npm ci && npm run vendor` after a change here or of the version.
import { build } from "esbuild";
import { copyFileSync, readFileSync } from "node:fs";

const version = JSON.parse(readFileSync("node_modules/echarts/package.json")).version;
await build({
  stdin: {
    resolveDir: ".",
    contents: `
      import * as echarts from "echarts/core";
      import { BarChart, CustomChart, GraphChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
      import { AriaComponent, DataZoomComponent, GridComponent, LegendComponent, MarkLineComponent,
               TooltipComponent, VisualMapComponent } from "echarts/components";
      import { SVGRenderer } from "echarts/renderers";
      echarts.use([BarChart, CustomChart, GraphChart, HeatmapChart, LineChart, ScatterChart, AriaComponent, DataZoomComponent,
                   GridComponent, LegendComponent, MarkLineComponent, TooltipComponent, VisualMapComponent, SVGRenderer]);
      export const init = echarts.init;
      export const version = echarts.version;`,
  },
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "echarts",
  target: "es2020",
  legalComments: "none",
  banner: { js: `/* Apache ECharts ${version}, Apache License 2.0; zrender, BSD 3-Clause; tslib, 0BSD: see web/vendor/LICENSE-* */` },
  outfile: "vendor/echarts.min.js",
});
copyFileSync("node_modules/echarts/LICENSE", "vendor/LICENSE-echarts");
copyFileSync("node_modules/echarts/NOTICE", "vendor/NOTICE-echarts");
copyFileSync("node_modules/zrender/LICENSE", "vendor/LICENSE-zrender");
