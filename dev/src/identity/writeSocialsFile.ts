import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeSocials, type FarcasterRegistry } from './socials.ts'

/** Writes the SOCIALS_FILE of the local server: new secrets for each start. Returns its path. */
export function writeSocialsFile(parameters: {
  url: string
  secret: string
  farcaster: FarcasterRegistry
  dataDir: string
}): string {
  const { dataDir, ...provider } = parameters
  const file = join(dataDir, 'socials.json')
  writeFileSync(file, JSON.stringify(describeSocials(provider), undefined, 2), { mode: 0o600 })
  return file
}
