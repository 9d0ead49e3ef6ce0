// Files that a company might keep, with content that is what their names say: made by the browser, none downloaded.
const CSS = 'body{font:15px/1.5 system-ui;margin:48px;color:#1f2937}h1{font-size:30px;margin:0 0 4px}table{border-collapse:collapse;width:100%;margin:20px 0}td,th{border-bottom:1px solid #e5e7eb;padding:8px;text-align:left}p{max-width:620px}';
const REGIONS = [['Nordics', 412, 468], ['Central Europe', 388, 431], ['Iberia', 214, 209], ['British Isles', 297, 344], ['North America', 521, 602]];
const rows = REGIONS.map(([name, before, now]) => `<tr><td>${name}<td>${before}<td>${now}<td>${(((now - before) / before) * 100).toFixed(1)} %`).join('');
const REPORT = `<style>${CSS}</style><h1>Quarterly report</h1><p>Third quarter of 2026, in thousands of euro.</p><table><tr><th>Region<th>Q2<th>Q3<th>Change</tr>${rows}</table><p>Growth came from renewals in North America and from two new customers in the Nordics. Iberia is flat; the new partner starts there in October.</p>`;
const OFFER = `<style>${CSS}</style><h1>Offer 2026-118</h1><p>Fleet telemetry for 240 vehicles, with installation, for Havn Logistics.</p><table><tr><th>Position<th>Amount</tr><tr><td>Devices, 240 pieces<td>28,800 €<tr><td>Installation<td>9,600 €<tr><td>Service, 24 months<td>34,560 €</table><p>Good until 15 December 2026.</p>`;

const MINUTES = `# Weekly meeting, 16 November

Present: Maria, Jonas, Priya, Tomas, Aiko

- The pilot at Havn Logistics starts on Monday with twelve vehicles.
- Priya shows the new map; the clusters stay readable down to street level.
- Support answered 41 questions, most of them about exports. Tomas writes a page on them.
- Decision: we keep raw positions for 90 days and the daily sums for ever.

Next: Monday, 10:00
`;
const STOCK = ['article,warehouse,pieces,reorder at', ...Array.from({ length: 60 }, (_row, n) => `FT-${1200 + n * 7},${['Malmö', 'Hamburg', 'Porto'][n % 3]},${(n * 37) % 190},${20 + (n % 5) * 10}`)].join('\n');
const CONFIG = JSON.stringify({ gateway: { region: 'eu-north', interval: 30, retries: 5 }, devices: REGIONS.map(([region, , vehicles]) => ({ region, vehicles })) }, null, 2);

/** A landscape of layered hills, or what a camera would have made of it; the seed moves the sun and the hills. */
const drawn = (seed, width, height, grain) => `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} });
  const g = canvas.getContext('2d');
  const sky = g.createLinearGradient(0, 0, 0, ${height});
  sky.addColorStop(0, 'hsl(${200 + seed * 9} 60% 60%)'); sky.addColorStop(1, 'hsl(${30 + seed * 5} 80% 80%)');
  g.fillStyle = sky; g.fillRect(0, 0, ${width}, ${height});
  g.fillStyle = 'hsl(45 95% 85%)'; g.beginPath(); g.arc(${width * (0.2 + 0.12 * seed)}, ${height * 0.3}, ${height * 0.07}, 0, 7); g.fill();
  for (let layer = 0; layer < 6; layer += 1) {
    g.fillStyle = 'hsl(' + (205 + ${seed} * 6) + ' ' + (30 + layer * 4) + '% ' + (62 - layer * 9) + '%)';
    g.beginPath(); g.moveTo(0, ${height});
    for (let x = 0; x <= ${width}; x += 4) g.lineTo(x, ${height} * (0.45 + layer * 0.09) + Math.sin(x / (90 + layer * 23) + ${seed} + layer * 2) * 26 + Math.sin(x / 31 + layer) * 7);
    g.lineTo(${width}, ${height}); g.fill();
  }
  const image = g.getImageData(0, 0, ${width}, ${height});
  for (let at = 0; at < image.data.length; at += 4) { const noise = (Math.random() - 0.5) * ${grain}; for (let c = 0; c < 3; c += 1) image.data[at + c] += noise; }
  g.putImageData(image, 0, 0);
  return canvas.toDataURL('image/jpeg', 0.9);
})()`;

const FILMED = `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 960, height: 540 });
  document.body.append(canvas);
  const g = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm;codecs=vp8', videoBitsPerSecond: 6_000_000 });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((done) => (recorder.onstop = done));
  recorder.start();
  for (let n = 0; n < 90; n += 1) {
    g.fillStyle = '#eef2ff'; g.fillRect(0, 0, 960, 540);
    g.strokeStyle = '#c7d2fe'; g.lineWidth = 14; g.beginPath(); for (let x = 0; x <= 960; x += 8) g.lineTo(x, 300 + Math.sin(x / 120) * 90); g.stroke();
    for (let car = 0; car < 5; car += 1) { const x = (n * (6 + car) + car * 190) % 960; g.fillStyle = 'hsl(' + car * 70 + ' 70% 45%)'; g.beginPath(); g.arc(x, 300 + Math.sin(x / 120) * 90, 16, 0, 7); g.fill(); }
    g.fillStyle = '#1e1b4b'; g.font = '600 34px system-ui'; g.fillText('Fleet map, live', 40, 70);
    await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done, 40));
  }
  recorder.stop(); await stopped;
  return new Promise((done) => { const reader = new FileReader(); reader.onload = () => done(reader.result); reader.readAsDataURL(new Blob(parts)); });
})()`;

/** @returns {Promise<{ folder: string | undefined, name: string, type: string, content: Uint8Array | string }[]>} */
export async function makeFiles(browser) {
  const page = await browser.newPage();
  const pdf = async (html) => (await page.setContent(html), page.pdf({ format: 'A4' }));
  const made = async (script) => Buffer.from((await page.evaluate(script)).split(',')[1], 'base64');
  const files = [
    { folder: 'Reports', name: 'Quarterly report Q3.pdf', type: 'application/pdf', content: await pdf(REPORT) },
    { folder: undefined, name: 'Offer 2026-118.pdf', type: 'application/pdf', content: await pdf(OFFER) },
    { folder: undefined, name: 'Meeting notes.md', type: 'text/markdown', content: MINUTES },
    { folder: undefined, name: 'Stock by warehouse.csv', type: 'text/csv', content: STOCK },
    { folder: undefined, name: 'gateway.json', type: 'application/json', content: CONFIG },
    { folder: undefined, name: 'Fleet map.webm', type: 'video/webm', content: await made(FILMED) },
  ];
  for (const [seed, name] of ['Hills at dawn.jpg', 'Pass in March.jpg', 'Valley of the test track.jpg', 'Evening drive.jpg'].entries()) files.push({ folder: seed === 0 ? undefined : 'Photos', name, type: 'image/jpeg', content: await made(drawn(seed + 1, 2400, 1500, seed === 0 ? 0 : 20)) });
  await page.close();
  return files;
}
