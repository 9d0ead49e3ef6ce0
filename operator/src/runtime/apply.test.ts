import { thing, type Thing } from '../../test/support/objects.js';
import { applyStatus, statusApplyBody, type ObjectWriter } from './apply.js';
import { dropFinalizer, ensureFinalizer } from './finalizer.js';
import { parseLines } from './json-lines.js';

class RecordingWriter implements ObjectWriter<Thing> {
  readonly writes: unknown[] = [];
  async writeStatus(object: Thing, status: NonNullable<Thing['status']>): Promise<Thing> {
    this.writes.push(status);
    return { ...object, status };
  }
  async writeFinalizers(object: Thing, finalizers: readonly string[]): Promise<Thing> {
    this.writes.push(finalizers);
    return { ...object, metadata: { ...object.metadata, finalizers } };
  }
}

describe('writes', () => {
  it('are left out when the status is the same in another order', async () => {
    const writer = new RecordingWriter();
    const condition = (type: string) => ({ type, status: 'True' as const, reason: 'R', message: 'm', lastTransitionTime: 't' });
    const object = { ...thing('a'), status: { observedGeneration: 1, conditions: [condition('A'), condition('B')] } };
    await applyStatus(writer, object, { conditions: [condition('B'), condition('A')], observedGeneration: 1 });
    expect(writer.writes).toEqual([]);
    await applyStatus(writer, object, { conditions: [condition('B')], observedGeneration: 1 });
    expect(writer.writes).toHaveLength(1);
  });

  it('of a status carry uid and version, so that they hit neither a successor nor a later write', () => {
    expect(statusApplyBody(thing('a', 7), {})).toMatchObject({ metadata: { uid: 'uid-a', resourceVersion: '7' } });
  });

  it('of finalizers add ours once and leave others', async () => {
    const writer = new RecordingWriter();
    const own = await ensureFinalizer(writer, thing('a', 1, { finalizers: ['theirs'] }), 'ours');
    if (!own) throw new Error('it is gone');
    expect(own.metadata.finalizers).toEqual(['theirs', 'ours']);
    await ensureFinalizer(writer, own, 'ours');
    await dropFinalizer(writer, own, 'ours');
    await dropFinalizer(writer, thing('b'), 'ours');
    expect(writer.writes).toEqual([['theirs', 'ours'], ['theirs']]);
  });
});

describe('parseLines', () => {
  async function* chunks(parts: readonly Uint8Array[]) {
    yield* parts;
  }

  it('puts values together from any chunks, also within a character, and drops a cut end', async () => {
    const bytes = new TextEncoder().encode('{"a":"ä€"}\n\n{"b":2}\n{"cut');
    const values: unknown[] = [];
    for await (const value of parseLines(chunks(Array.from(bytes, (byte) => Uint8Array.of(byte))))) values.push(value);
    expect(values).toEqual([{ a: 'ä€' }, { b: 2 }]);
  });
});
