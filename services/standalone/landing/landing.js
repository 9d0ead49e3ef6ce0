// Shows the registry as it is now. No framework, no request to anybody else.
const INTERVAL_MS = 2000;
const byId = (id) => document.getElementById(id);

let shown;

async function readJson(url) {
  // no-cache asks with the entity tag: an unchanged list costs a 304
  const response = await fetch(url, { headers: { accept: 'application/json' }, cache: 'no-cache' });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

async function refresh() {
  try {
    const [health, feed] = await Promise.all([readJson('/api/health'), readJson('/api/config/apps')]);
    showHealth(health.status === 'UP' ? 'up' : 'down', `${health.status === 'UP' ? 'Up' : health.status}, version ${health.version}`);
    showApps(Array.isArray(feed) ? feed : feed.data);
  } catch {
    showHealth('down', 'The platform does not answer');
  }
}

function showHealth(state, text) {
  const health = byId('health');
  // Written only when it changed: a screen reader says it each time.
  if (health.textContent !== text) health.textContent = text;
  health.dataset.state = state;
}

function showApps(apps) {
  const now = JSON.stringify(apps);
  if (now === shown?.json) return;
  const before = shown?.slugs;
  shown = { json: now, slugs: new Set(apps.map((app) => app.slug)) };
  const arrived = before ? apps.filter((app) => !before.has(app.slug)) : [];
  byId('apps').replaceChildren(...apps.map((app) => card(app, arrived.includes(app))));
  byId('empty').hidden = apps.length > 0;
  if (before) byId('news').textContent = arrived.length > 0 ? `New: ${arrived.map((app) => app.name).join(', ')}` : 'The list of apps has changed.';
}

function card(app, isNew) {
  const item = byId('app').content.cloneNode(true).firstElementChild;
  item.classList.toggle('new', isNew);
  const tile = item.querySelector('.tile');
  tile.textContent = [...app.name][0].toUpperCase();
  tile.style.setProperty('--hue', hueOf(app.slug));
  item.querySelector('h3').textContent = app.name;
  item.querySelector('.description').textContent = app.description ?? '';
  item.querySelector('.facts').textContent = [app.slug, app.version && `version ${app.version}`, app.category].filter(Boolean).join(' · ');
  item.querySelector('.links').append(...linksOf(app));
  return item;
}

function linksOf(app) {
  const links = [['Health', `${app.apiUrl}/health`], ['API document', `${app.apiUrl}/doc/openapi.json`], ['Remote entry', app.remoteEntry]];
  return links.filter(([, url]) => isWebAddress(url)).map(([text, url]) => {
    const link = document.createElement('a');
    link.href = url;
    link.textContent = text;
    link.setAttribute('aria-label', `${text} of ${app.name}`);
    return link;
  });
}

/** A registry entry is somebody's input: nothing but http and https becomes a link. */
function isWebAddress(url) {
  return typeof url === 'string' && URL.canParse(url, location.href) && /^https?:$/.test(new URL(url, location.href).protocol);
}

function hueOf(text) {
  return [...text].reduce((sum, char) => (sum * 31 + char.codePointAt(0)) % 360, 7);
}

byId('copy').addEventListener('click', async ({ target }) => {
  // Browsers may refuse the clipboard; the text can still be selected.
  const done = await navigator.clipboard.writeText(byId('manifest').textContent).then(() => 'Copied', () => 'Select and copy by hand');
  target.textContent = done;
  setTimeout(() => (target.textContent = 'Copy'), 2000);
});

setInterval(() => document.visibilityState === 'visible' && refresh(), INTERVAL_MS);
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && refresh());
void refresh();
