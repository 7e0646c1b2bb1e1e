/**
 * The command that installs packed packages in an app, which may be in any folder. `paths` are
 * absolute.
 */
export const installCommand = (paths: readonly string[]): string =>
  ['npm install', ...paths.map(quote)].join(' ')

const quote = (path: string) =>
  /^[\w@%+=:,./\\-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
