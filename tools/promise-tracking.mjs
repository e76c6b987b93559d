import asyncHooks from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';

/**
 * Preloaded in the processes of `npm test`. The test runner follows every promise of a process to attribute it to a test,
 * which makes each `await` about forty times slower. It has to do so only while a file is loaded, so that the tests in it
 * belong to its suite: `load` follows promises, and nothing else does.
 */
const createHook = asyncHooks.createHook;
let always;
let tracking;

// The test runner creates its hook when it is loaded, by the first file that imports it.
asyncHooks.createHook = (callbacks) => {
  asyncHooks.createHook = createHook;
  tracking = createHook(callbacks);
  always = createHook({ ...callbacks, trackPromises: false });
  return always;
};

/** Loads a test file in the suite that calls this. */
export async function load(url) {
  always?.disable();
  tracking?.enable();
  try {
    await import(url);
  } finally {
    tracking?.disable();
    // The suite ends in the next turn.
    await setImmediate();
    always?.enable();
  }
}

// An error that belongs to no test fails the file, but its stack would not be printed.
process.on('uncaughtExceptionMonitor', (error) => console.error(error));
process.on('unhandledRejection', (error) => {
  throw error;
});
