// Puts the SatelliteApp of this chart into the cluster or takes it out: node satelliteapp.mjs apply|remove
import { readFileSync } from 'node:fs';
import { applyApp, removeApp } from './api-server.mjs';
import { Final, until } from './until.mjs';

const app = JSON.parse(readFileSync('/scripts/satelliteapp.json', 'utf8'));
const { name } = app.metadata;
const patience = { limitMs: 120_000 };
/** What the API server does not change its mind about; a 404 is a CRD on its way. */
const REFUSALS = [400, 403, 422];

async function apply() {
  await until('The SatelliteApp could not be applied (is the operator with its CRD installed?)', async () => {
    await applyApp(app).catch((error) => {
      throw REFUSALS.includes(error.status) ? new Final(error.message) : error;
    });
    return true;
  }, patience);
  console.log(`${name} is applied; kubectl get satelliteapp ${name} shows how it goes`);
}

async function remove() {
  try {
    await until('it is still there', () => removeApp(name), patience);
    console.log(`${name} is gone`);
  } catch (error) {
    // An installation must not be kept from ending: without an operator nobody can take the entry out.
    console.log(`${name} waits for an operator that takes its entry out of the registry: ${error.message}`);
  }
}

const work = { apply, remove }[process.argv[2]];
if (work === undefined) throw new Error('Say apply or remove.');
await work();
