import { thing, type Thing } from '../../test/support/objects.js';
import { ObjectStore, type Change } from './store.js';

const storeWithLog = () => {
  const store = new ObjectStore<Thing>(({ spec }) => String(spec.value));
  const changes: string[] = [];
  store.subscribe(({ key, before, after }: Change<Thing>) => changes.push(`${key} ${before?.metadata.resourceVersion ?? '-'}>${after?.metadata.resourceVersion ?? '-'}`));
  return { store, changes };
};

describe('ObjectStore', () => {
  it('never goes back to an older version', () => {
    const { store, changes } = storeWithLog();
    store.put(thing('a', 9));
    store.put(thing('a', 10));
    store.put(thing('a', 9));
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('10');
    expect(changes).toEqual(['default/a ->9', 'default/a 9>10']);
  });

  it('takes another object of the same name whatever its version', () => {
    const { store } = storeWithLog();
    store.put(thing('a', 10));
    store.put(thing('a', 3, { uid: 'another' }));
    expect(store.get('default/a')?.metadata.uid).toBe('another');
  });

  it('does not bring back a deleted object by the late answer to a write', () => {
    const { store } = storeWithLog();
    store.put(thing('a', 1));
    store.remove('default/a');
    store.written(thing('a', 2));
    expect(store.get('default/a')).toBeUndefined();
  });

  it('removes what a new list does not have, and says what is unchanged', () => {
    const { store, changes } = storeWithLog();
    store.replace([thing('a', 1), thing('b', 1)]);
    store.replace([thing('b', 1), thing('c', 2)]);
    expect(changes).toEqual(['default/a ->1', 'default/b ->1', 'default/a 1>-', 'default/b 1>1', 'default/c ->2']);
  });

  it('finds objects by their index, also after changes', () => {
    const { store } = storeWithLog();
    store.put(thing('a', 1));
    store.put(thing('b', 1));
    store.put(thing('a', 2));
    expect(store.inIndex('1').map(({ metadata }) => metadata.name)).toEqual(['b']);
    store.remove('default/b');
    expect(store.inIndex('1')).toEqual([]);
  });
});
