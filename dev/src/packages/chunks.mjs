// JavaScript, as Node reads it for a vite.config.ts; the types are in chunks.d.mts.

/** @param {string[]} paths */
const source = (...paths) => new RegExp(`[\\\\/]packages[\\\\/](${paths.join('|')})\\.tsx?$`)

/** An earlier chunk also takes the modules that it shares with later ones. */
export const chunkGroups = [
  { name: 'start', tags: ['$initial'], priority: 4 },
  {
    name: 'errors',
    test: source('wire/src/(errors/errors|caip/parseCaip)', 'core/src/attempt'),
    priority: 3,
  },
  {
    name: 'opening',
    test: source('react/src/modal/(Modal|Messages)', 'react/src/views/connect/Connect'),
    priority: 2,
  },
  {
    name: 'queries',
    test: /packages[\\/]react[\\/]src[\\/]app[\\/]queries\.ts$|node_modules[\\/](zod|@tanstack[\\/]query-core)[\\/](?!.*infiniteQueryObserver)/,
    priority: 1,
  },
  // What the button of a connected account shows.
  { name: 'account', test: source('react/src/AccountLabel'), priority: 0 },
]
