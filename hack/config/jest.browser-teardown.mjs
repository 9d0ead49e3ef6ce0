export default async function teardown() {
  await globalThis.browserStage.stop();
}
