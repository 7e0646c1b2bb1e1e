import { LatchkeyError, type Manifest, parseBoundedJson } from '@latchkey/wire'
import * as z from 'zod'
import { isSignedBy, manifestDigest } from './digests.ts'

const manifestText = z.object({
  v: z.literal(1),
  walletId: z.string(),
  userId: z.string(),
  realm: z.string(),
  recoveryKey: z.string(),
  epoch: z.int().positive(),
  version: z.int().positive(),
  devices: z.array(z.object({ id: z.string(), key: z.string() })).max(50),
  addresses: z.object({ eip155: z.string(), solana: z.string() }),
})
export type ManifestFacts = z.infer<typeof manifestText>

/** Reads a manifest and checks that its own wallet signed it. Throws `COMMIT_REFUSED`. */
export async function readManifest({ text, signature }: Manifest): Promise<ManifestFacts> {
  const facts = parseManifest(text)
  const digest = manifestDigest(text)
  if (!(await isSignedBy(facts.addresses.eip155, { digest, signature })))
    throw new LatchkeyError('COMMIT_REFUSED')
  return facts
}

/** Reads a manifest whose signature was checked before. Throws `COMMIT_REFUSED`. */
export function parseManifest(text: string): ManifestFacts {
  try {
    return manifestText.parse(parseBoundedJson(text))
  } catch (cause) {
    throw new LatchkeyError('COMMIT_REFUSED', { cause })
  }
}
