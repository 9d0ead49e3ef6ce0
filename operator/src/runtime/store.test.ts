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

  it('hands out the copy it holds of the same version, and no other', () => {
    const { store } = storeWithLog();
    const held = thing('a', 9);
    store.put(held);
    expect(store.held(thing('a', 9))).toBe(held);
    for (const other of [thing('a', 10), thing('a', 9, { uid: 'successor' }), thing('b', 9)]) expect(store.held(other)).toBe(other);
  });

  it('takes the successor of the same name, and late news of neither', () => {
    const { store, changes } = storeWithLog();
    store.put(thing('a', 10));
    store.put(thing('a', 12, { uid: 'successor' }));
    store.put(thing('a', 11));
    store.deleted(thing('a', 11));
    expect(store.get('default/a')?.metadata.uid).toBe('successor');
    expect(changes).toEqual(['default/a ->10', 'default/a 10>12']);
  });

  it('does not bring back a deleted object by late news of it, not even by news that came before its end was known', () => {
    const { store, changes } = storeWithLog();
    store.put(thing('a', 1));
    store.deleted(thing('a', 3));
    store.put(thing('a', 2));
    store.put(thing('a', 3));
    store.deleted(thing('b', 8));
    store.put(thing('b', 7));
    expect(store.size).toBe(0);
    expect(changes).toEqual(['default/a ->1', 'default/a 1>-']);
  });

  it('takes an object back that was not selected for a while, and keeps it when its leaving is told late', () => {
    const { store } = storeWithLog();
    store.put(thing('a', 1));
    store.deleted(thing('a', 2));
    store.put(thing('a', 3));
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('3');
    store.deleted(thing('a', 2));
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('3');
  });

  it('does not bring back a deleted object by the late answer to a write', () => {
    const { store } = storeWithLog();
    store.put(thing('a', 1));
    store.deleted(thing('a', 3));
    store.written(thing('a', 2));
    expect(store.get('default/a')).toBeUndefined();
  });

  it('removes what a new list does not have, and says what is unchanged', () => {
    const { store, changes } = storeWithLog();
    store.replace([thing('a', 1), thing('b', 1)], '1');
    store.replace([thing('b', 1), thing('c', 2)], '3');
    store.put(thing('a', 2));
    expect(changes).toEqual(['default/a ->1', 'default/b ->1', 'default/a 1>-', 'default/b 1>1', 'default/c ->2']);
  });

  it('believes a list that is older than what it holds, except about what it has written meanwhile', () => {
    const { store } = storeWithLog();
    for (const name of ['a', 'b']) store.put(thing(name, 90));
    store.written(thing('a', 91));
    store.beginList();
    store.written(thing('b', 92));
    store.replace([thing('a', 40), thing('b', 41), thing('c', 42)], '50');
    expect(store.list().map(({ metadata }) => metadata.resourceVersion)).toEqual(['40', '92', '42']);
    store.put(thing('a', 51));
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('51');
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
