// A federation container of type "module", written by hand: a real satellite builds this file from its front-end.
// The Shell calls init with the libraries it shares, then get('./App') and renders what the factory gives.
let shared;

export async function init(shareScope) {
  shared = shareScope;
}

export async function get(module) {
  if (module !== './App') throw new Error(`status-board exposes ./App, not ${module}`);
  const React = await fromHost('react');
  const App = makeApp(React);
  return () => ({ __esModule: true, default: App });
}

/** The newest version the host shares; there must be one React in a page, so none is brought along. */
async function fromHost(name) {
  const versions = Object.entries(shared?.[name] ?? {}).sort(([a], [b]) => b.localeCompare(a, 'en', { numeric: true }));
  if (versions.length === 0) throw new Error(`status-board needs ${name} from the Shell`);
  const factory = await versions[0][1].get();
  const library = factory();
  return library.default ?? library;
}

function makeApp({ createElement: h, useCallback, useEffect, useState }) {
  return function StatusBoard() {
    const [status, setStatus] = useState(undefined);
    const [problem, setProblem] = useState('');
    const refresh = useCallback(async () => {
      try {
        const response = await fetch(new URL('../api/status', import.meta.url));
        if (!response.ok) throw new Error(`status ${response.status}`);
        setStatus(await response.json());
        setProblem('');
      } catch {
        setProblem('The status cannot be read at the moment.');
      }
    }, []);
    useEffect(() => {
      void refresh();
      const timer = setInterval(refresh, 5000);
      return () => clearInterval(timer);
    }, [refresh]);
    return h('section', { 'aria-labelledby': 'status-board-title' },
      h('h1', { id: 'status-board-title' }, 'Status board'),
      h('p', { role: 'status' }, problem || sentence(status)),
      status?.apps.ok && h(Apps, { apps: status.apps.value }));
  };

  function Apps({ apps }) {
    const cells = (tag, values) => values.map((value) => h(tag, { key: value, ...(tag === 'th' && { scope: 'col' }) }, value));
    return h('table', null,
      h('caption', null, 'Apps of the registry'),
      h('thead', null, h('tr', null, cells('th', ['Name', 'Slug', 'Type', 'Version']))),
      h('tbody', null, apps.map((app) => h('tr', { key: app.slug }, [app.name, app.slug, app.type, app.version ?? ''].map((value, column) => h('td', { key: column }, value))))));
  }
}

function sentence(status) {
  if (!status) return 'Asking the platform …';
  const { platform } = status;
  return platform.ok ? `The platform is ${platform.value.status}, version ${platform.value.version}.` : `The platform does not answer: ${platform.problem}`;
}
