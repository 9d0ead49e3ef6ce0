import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVALUATION, HELMS, set, template, tool, chartFolder } from './support/helm.js';

/** What somebody may mistype, and what Helm says to it. */
const REFUSED: readonly (readonly [string, string, readonly string[], string])[] = [
  ['an unknown key', 'drive', ['replcas=3'], "additional properties 'replcas' not allowed"],
  ['an unknown key further down', 'drive', ['image.tagg=1'], "additional properties 'tagg' not allowed"],
  ['an unknown global', 'shell', ['global.publicURL=x'], "additional properties 'publicURL' not allowed"],
  ['an unknown key of a chart inside the umbrella', 'platform', ['drive.replcas=3'], "additional properties 'replcas' not allowed"],
  ['a key of the umbrella that does not exist', 'platform', ['postgresql.mode=bundled'], "additional properties 'postgresql' not allowed"],
  ['text for a number', 'drive', ['replicas=many'], "at '/replicas': got string, want integer"],
  ['a negative number', 'operator', ['replicas=-1'], "at '/replicas': minimum: got -1, want 0"],
  ['text for a switch', 'shell', ['autoscaling.enabled=sometimes'], "at '/autoscaling/enabled': got string, want boolean"],
  ['a mode that does not exist', 'platform', ['global.postgresql.mode=mysql'], "value must be one of 'external', 'bundled', 'cnpg'"],
  ['a mode that does not exist, of the migrations', 'drive', ['migrations.mode=never'], "value must be one of 'auto', 'hook', 'initContainer'"],
  ['a Secret without a key', 'shell', ['secretEnv.APP_ENV_SMTP_URL.secret=mail'], "missing property 'key'"],
  ['an unknown kind of secret', 'drive', ['secretKeys.more=random'], "value must be one of 'password', 'key'"],
];

/** Values that contradict each other, and what has to be set. */
const CONTRADICTIONS: readonly (readonly [string, string, readonly string[], string])[] = [
  ['no address', 'platform', ['global.publicUrl='], 'global.publicUrl must be the address of the platform'],
  ['an address with a path', 'platform', ['global.publicUrl=https://example.org/platform'], 'global.publicUrl must be the address of the platform without a path'],
  ['an external database that nobody named', 'platform', ['global.postgresql.mode=external'], 'drive: database.existingSecret must name the Secret whose key uri has the address'],
  ['an external cache that nobody named', 'platform', ['global.cache.mode=external'], 'global.cache.existingSecret must name the Secret'],
  ['an external store that nobody named', 'platform', ['global.objectStore.mode=external'], 'global.objectStore.endpoint and global.objectStore.existingSecret'],
  ['a hook before the database exists', 'platform', ['drive.migrations.mode=hook'], 'migrations.mode cannot be hook with stores that come with the release'],
  ['a satellite whose client the Shell does not know', 'platform', ['global.satellites={}'], 'global.satellites must contain drive'],
  ['more pods at least than at most', 'platform', ['shell.autoscaling.enabled=true', 'shell.autoscaling.minReplicas=20'], 'autoscaling.minReplicas must not be greater'],
  ['an Ingress beside that of the umbrella', 'platform', ['drive.ingress.enabled=true'], 'belong to the umbrella chart'],
  ['a Gateway without a name', 'platform', ['gateway.enabled=true'], 'gateway.parentRefs must name a Gateway'],
  ['an app in the launchpad that cannot be reached', 'platform', ['drive.route.path='], 'route.path must be set (or satelliteApp.enabled to false)'],
  ['less time to end than it takes', 'platform', ['shell.terminationGracePeriodSeconds=10'], 'terminationGracePeriodSeconds must be at least 25 more'],
  ['an operator that looks elsewhere', 'platform', ['operator.watchNamespace=elsewhere'], 'operator.watchNamespace must be empty or trial'],
  ['a Shell by another name', 'platform', ['shell.fullnameOverride=front'], 'global.shell.url must be http://front:'],
  ['a Shell at another port', 'platform', ['shell.service.port=8080'], 'global.shell.url must be http://trial-shell:8080:'],
  ['a Shell elsewhere without its address', 'platform', ['shell.enabled=false'], 'global.shell.url must be the address of the Shell, since shell.enabled is false'],
  ['metrics that nobody may read', 'platform', ['global.monitoring.serviceMonitor=true'], 'global.networkPolicy.monitoringFrom must name the peers'],
  ['an address without a name', 'platform', ['global.publicUrl=https://10.0.0.1:8443'], 'global.publicUrl must have a name in place of an IP address'],
  ['an address without a name, of IPv6', 'platform', ['global.publicUrl=https://[::1]'], 'global.publicUrl must have a name in place of an IP address'],
  ['a certificate for an address without TLS', 'platform', ['global.publicUrl=http://platform.test', 'ingress.tlsSecret=tls'], 'global.publicUrl must begin with https://'],
  ['a path of the pages of the Shell', 'platform', ['drive.route.path=/admin/drive'], "drive: route.path /admin/drive is the Shell's own"],
  ['bundled stores of one chart alone', 'drive', ['global.postgresql.mode=bundled', 'global.publicUrl=https://platform.test'], 'global.postgresql.mode can be bundled only in the umbrella'],
  ['one chart alone without the platform', 'drive', ['global.publicUrl=https://platform.test'], 'global.shell.url must be the address of the Shell'],
  ['one chart alone without secrets', 'shell', ['global.publicUrl=https://platform.test'], 'must name a Secret with the keys admin-password, key-encryption-key, operator-client-secret'],
];

const given = (chart: string, values: readonly string[]): string[] => [...(chart === 'platform' ? EVALUATION : []), ...set(...values)];

describe.each(HELMS)('%s refuses', (helm) => {
  it.each(REFUSED)('%s', async (_what, chart, values, message) => {
    const { code, stderr } = await template(helm, chart, given(chart, values));
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });

  it.each(CONTRADICTIONS)('%s, and says what to set', async (_what, chart, values, message) => {
    const { code, stderr } = await template(helm, chart, given(chart, values));
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });
});

describe('the umbrella', () => {
  it('refuses a release whose name is too long for its objects', async () => {
    const { code, stderr } = await tool('helm', ['template', 'r'.repeat(41), chartFolder('platform'), ...EVALUATION]);
    expect(code).not.toBe(0);
    expect(stderr).toContain('has 41 characters');
  });

  it.each([
    ['a Shell by another name whose address is given', ['shell.fullnameOverride=front', 'global.shell.url=http://front']],
    ['an operator for the namespace of the release', ['operator.watchNamespace=trial']],
    ["a path that only begins like the Shell's", ['drive.route.path=/administration']],
    ['a host that only begins like an address', ['global.publicUrl=https://10.0.0.1.example.org']],
  ])('takes %s', async (_what, values) => {
    expect(await template('helm', 'platform', given('platform', values))).toMatchObject({ code: 0 });
  });
});

describe('values', () => {
  it('that contradict each other are told all at once', async () => {
    const { stderr } = await template('helm', 'drive');
    for (const key of ['global.publicUrl', 'database.existingSecret', 'global.cache.existingSecret', 'global.objectStore.endpoint', 'global.shell.url']) expect(stderr).toContain(key);
  });

  it('of all charts of the umbrella as well', async () => {
    const { stderr } = await template('helm', 'platform');
    for (const problem of ['shell: database.existingSecret', 'drive: database.existingSecret', 'drive: global.objectStore', 'operator: global.publicUrl']) expect(stderr).toContain(problem);
  });

  it.each(['common', 'shell', 'drive', 'operator', 'platform'])('of %s are in its README as helm-docs finds them', async (chart) => {
    const { code, stdout } = await tool('helm-docs', ['--chart-search-root', chartFolder(chart), '--dry-run', '--ignore-non-descriptions', '--log-level', 'error']);
    expect(code).toBe(0);
    expect(keysIn(readFileSync(join(chartFolder(chart), 'README.md'), 'utf8'))).toEqual(keysIn(stdout));
  });
});

/** First column of the table of values. */
const keysIn = (readme: string): string[] => readme.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Key')).map((line) => line.split('|')[1]?.trim() ?? '').filter((key) => /^[a-z][\w.]*$/.test(key)).sort();
