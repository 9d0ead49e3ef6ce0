/** An answer that no further try changes. */
export class Final extends Error {}

/** Asks until there is an answer other than undefined and false; says what was heard last when the time is over. */
export async function until(what, ask, { limitMs = 90_000, pauseMs = 2000 } = {}) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    let heard = 'not yet';
    try {
      const found = await ask();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      if (error instanceof Final) throw error;
      heard = `${error.message} ${error.cause?.message ?? ''}`;
    }
    if (Date.now() > deadline) throw new Error(`${what}: ${heard}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
