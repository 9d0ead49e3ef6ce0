// Writes what is made from the list of metrics: the Grafana dashboard, the alert rules, and the table of the guide.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { METRICS } from '../src/monitoring/metric-list.js';
import { ALERTS } from './alerts.js';
import { PANELS, type Panel } from './panels.js';

const CHART = new URL('../../charts/operator/', import.meta.url);
const GUIDE = fileURLToPath(new URL('../../hack/docs/operator.md', import.meta.url));
const [BEGIN, END] = ['<!-- metrics: written by make generate -->', '<!-- end of metrics -->'];
const datasource = { type: 'prometheus', uid: `\${datasource}` };

function panelOf({ title, description, unit, queries }: Panel, index: number): object {
  return {
    id: index + 1, type: 'timeseries', title, description, datasource,
    fieldConfig: { defaults: { unit }, overrides: [] },
    gridPos: { x: (index % 2) * 12, y: Math.floor(index / 2) * 8, w: 12, h: 8 },
    targets: queries.map(({ expr, legend }, query) => ({ refId: String.fromCharCode(65 + query), expr, legendFormat: legend })),
  };
}

const dashboard = {
  uid: 'satellite-operator', title: 'Satellite: operator', tags: ['satellite'], schemaVersion: 39, editable: true, refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [
      { name: 'datasource', type: 'datasource', query: 'prometheus' },
      { name: 'namespace', type: 'query', datasource, query: 'label_values(controller_runtime_reconcile_total, namespace)', refresh: 2 },
    ],
  },
  panels: PANELS.map(panelOf),
};

const rules = {
  groups: [{
    name: 'satellite-operator',
    rules: ALERTS.map(({ severity, summary, description, for: duration, ...alert }) => ({ ...alert, for: duration, labels: { severity }, annotations: { summary, description } })),
  }],
};

const table = [
  '| metric | type | labels | |', '|---|---|---|---|',
  ...Object.entries(METRICS).map(([name, { type, labels, help }]) => `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`),
  '', '| alert | severity | after | means | what to do |', '|---|---|---|---|---|',
  ...ALERTS.map(({ alert, severity, for: duration, summary, description }) => `| \`${alert}\` | ${severity} | ${duration} | ${summary.replaceAll(/\{\{ \$labels\.(?:exported_)?(\w+) \}\}/g, '*$1*')} | ${description.replaceAll(/\{\{ \$labels\.(?:exported_)?(\w+) \}\}/g, '*$1*')} |`),
].join('\n');

for (const [folder, content] of [['dashboards', dashboard], ['rules', rules]] as const) {
  mkdirSync(new URL(`${folder}/`, CHART), { recursive: true });
  writeFileSync(new URL(`${folder}/operator.json`, CHART), `${JSON.stringify(content, null, 1)}\n`);
}
const guide = readFileSync(GUIDE, 'utf8');
const [from, to] = [guide.indexOf(BEGIN), guide.indexOf(END)];
if (from < 0 || to < from) throw new Error(`${GUIDE} has lost the lines ${BEGIN} and ${END}`);
writeFileSync(GUIDE, `${guide.slice(0, from + BEGIN.length)}\n${table}\n${guide.slice(to)}`);
