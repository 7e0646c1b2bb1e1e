import { type SocialProvider, socialProvider } from '@latchkey/wire'
import * as z from 'zod'
import { readJsonFile } from '../../config/readJsonFile.ts'

const url = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
  .refine(
    (text) => text.startsWith('https:') || isLocal(text),
    'must be https, except on this machine',
  )
const isLocal = (text: string) =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(text).hostname)

const endpoints = {
  issuer: url.optional(),
  authorizationUrl: url.optional(),
  tokenUrl: url.optional(),
  jwksUrl: url.optional(),
  userUrl: url.optional(),
}
const withSecret = z.strictObject({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  ...endpoints,
})
/** Apple's client secret is a token that is signed with the operator's key. */
const withKey = z.strictObject({
  clientId: z.string().min(1),
  teamId: z.string().min(1),
  keyId: z.string().min(1),
  privateKey: z.string().startsWith('-----BEGIN PRIVATE KEY-----', 'must be a PKCS #8 key in PEM'),
  ...endpoints,
})
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address')
/** Farcaster needs no credentials, but a node of the chain of its registries (OP Mainnet). */
const withNode = z.strictObject({
  rpcUrl: url,
  relayUrl: url.default('https://relay.farcaster.xyz'),
  /** The base of a request's URL: Farcaster's own app, or its web page. */
  appUrl: url.default('https://farcaster.xyz'),
  idRegistry: address.default('0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'),
  keyRegistry: address.default('0x00000000Fc1237824fb747aBDE0FF18990E59b7e'),
})
const missingCredentials = 'must have clientId and clientSecret, or teamId, keyId and privateKey'
const oauth = z.union([withSecret, withKey], missingCredentials).optional()
const schema = z.strictObject({
  google: oauth,
  x: oauth,
  discord: oauth,
  farcaster: withNode.optional(),
  github: oauth,
  apple: oauth,
  facebook: oauth,
  order: z.array(z.enum(socialProvider.options)).default([]),
} satisfies Record<SocialProvider | 'order', z.core.$ZodType>)

/** The credentials of one OAuth provider, and the URLs that replace its own. */
export type SocialCredentials = z.infer<typeof withSecret> | z.infer<typeof withKey>

/** The URLs of Farcaster's relay and registries. */
export type FarcasterConfig = z.infer<typeof withNode>

/** The providers that a server offers, in the order in which it offers them. */
export type Socials = ReadonlyMap<SocialProvider, SocialEntry>
type SocialEntry = SocialCredentials | FarcasterConfig

/**
 * Reads the file that `SOCIALS_FILE` names. The providers of its `order` are offered first, then
 * the others as in {@link socialProvider}.
 */
export function readSocials(file: string | undefined): { socials: Socials; problems: string[] } {
  if (file === undefined) return { socials: new Map(), problems: [] }
  const { data, problems } = readJsonFile('SOCIALS_FILE', file, schema)
  const { order = [], ...entries }: Partial<z.infer<typeof schema>> = data ?? {}
  const ordered = new Set([...order, ...socialProvider.options])
  const socials = [...ordered].flatMap((provider): [SocialProvider, SocialEntry][] => {
    const entry = entries[provider]
    return entry ? [[provider, entry]] : []
  })
  return { socials: new Map(socials), problems }
}
