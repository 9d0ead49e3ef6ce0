// A federation container of type "module", written by hand: a real satellite builds this file from its front-end.
// The Shell calls init with the libraries it shares, then get('./App') and renders what the factory gives.
let shared;

export async function init(shareScope) {
  shared = shareScope;
}

export async function get(module) {
  if (module !== './App') throw new Error(`hello exposes ./App, not ${module}`);
  const React = await fromHost('react');
  const App = makeApp(React);
  return () => ({ __esModule: true, default: App });
}

/** The newest version the host shares; there must be one React in a page, so none is brought along. */
async function fromHost(name) {
  const versions = Object.entries(shared?.[name] ?? {}).sort(([a], [b]) => b.localeCompare(a, 'en', { numeric: true }));
  if (versions.length === 0) throw new Error(`hello needs ${name} from the Shell`);
  const factory = await versions[0][1].get();
  const library = factory();
  return library.default ?? library;
}

function makeApp({ createElement: h, useState }) {
  return function Hello() {
    const [name, setName] = useState('world');
    const [answer, setAnswer] = useState('');
    const greet = async (event) => {
      event.preventDefault();
      setAnswer(await askFor(name));
    };
    return h('section', { 'aria-labelledby': 'hello-title' },
      h('h1', { id: 'hello-title' }, 'Hello'),
      h('form', { onSubmit: greet },
        h('label', null, 'Who shall be greeted? ', h('input', { value: name, maxLength: 80, required: true, onChange: (event) => setName(event.target.value) })),
        ' ',
        h('button', { type: 'submit' }, 'Greet')),
      h('p', { 'aria-live': 'polite' }, answer));
  };
}

async function askFor(name) {
  try {
    const response = await fetch(new URL(`../api/greetings?name=${encodeURIComponent(name)}`, import.meta.url));
    const body = await response.json();
    return response.ok ? body.message : body.error.message;
  } catch {
    return 'The greeting service does not answer. Try again in a moment.';
  }
}
