// JavaScript, as Node reads it for a vite.config.ts; the types are in chunks.d.mts.

/** @param {string[]} paths */
const source = (...paths) => new RegExp(`[\\\\/]packages[\\\\/](${paths.join('|')})\\.tsx?$`)

/**
 * An earlier chunk also takes the modules that it shares with later ones. Each file that a view needs is named where the view is
 * loaded, so what several views share is in a few files.
 */
export const chunkGroups = [
  { name: 'start', tags: ['$initial'], priority: 7 },
  {
    name: 'errors',
    test: source('wire/src/(errors/errors|caip/parseCaip)', 'core/src/attempt'),
    priority: 6,
  },
  {
    name: 'opening',
    test: source(
      'react/src/modal/(Modal|Messages)',
      'react/src/views/connect/Connect',
      'react/src/app/useRemoteHint',
    ),
    priority: 5,
  },
  {
    name: 'queries',
    test: /packages[\\/]react[\\/]src[\\/]app[\\/]queries\.ts$|node_modules[\\/](zod|@tanstack[\\/]query-core)[\\/](?!.*infiniteQueryObserver)/,
    priority: 4,
  },
  // What the button of a connected account shows.
  { name: 'account', test: source('react/src/AccountLabel'), priority: 3 },
  // An app that has accounts sign in follows their sign-ins from the start.
  { name: 'signIn', test: source('core/src/siwx/followSiwx'), priority: 3 },
  {
    name: 'styles',
    test: /packages[\\/]react[\\/]src[\\/](views|parts)[\\/](?!siwx).*\.css$/,
    priority: 2,
  },
  {
    name: 'parts',
    test: source(
      'react/src/(app/use\\w+|locales/(?!enSi[gw]).*|parts/(?!Segments)\\w+|views/getReason)',
    ),
    minShareCount: 2,
    priority: 1,
  },
]
