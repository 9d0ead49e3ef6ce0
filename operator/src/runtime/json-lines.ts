/** Longest line accepted; an API server never sends objects beyond 3 MiB or so. */
const LINE_LIMIT = 16 * 1024 * 1024;

/** Values of a stream that has one JSON value a line; a last line without its end is a cut stream and is dropped. */
export async function* parseLines<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<T> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of chunks) {
    const lines = (pending + decoder.decode(chunk, { stream: true })).split('\n');
    pending = lines.pop() as string;
    if (pending.length > LINE_LIMIT) throw new Error('a line of the stream is too long');
    for (const line of lines) if (line !== '') yield JSON.parse(line) as T;
  }
}
