import type { Page } from 'puppeteer';

type Media = 'image/png' | 'video/mp4' | 'video/webm';

/** A picture, or a film of half a second, as the browser itself makes it. */
export async function made(page: Page, type: Media): Promise<Uint8Array<ArrayBuffer>> {
  const url = await page.evaluate(async (wanted) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
    const pencil = canvas.getContext('2d') as CanvasRenderingContext2D;
    const draw = (step: number): void => {
      pencil.fillStyle = `hsl(${step * 12} 70% 50%)`;
      pencil.fillRect(0, 0, 320, 180);
    };
    draw(1);
    if (wanted === 'image/png') return canvas.toDataURL(wanted);
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: wanted });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => void parts.push(data);
    const stopped = new Promise((resolve) => (recorder.onstop = resolve));
    recorder.start();
    for (let step = 0; step < 30; step += 1) {
      await new Promise(requestAnimationFrame);
      draw(step);
    }
    recorder.stop();
    await stopped;
    return new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result as string);
      reader.readAsDataURL(new Blob(parts));
    });
  }, type);
  return new Uint8Array(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
}
