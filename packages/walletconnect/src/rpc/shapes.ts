import * as z from 'zod/mini'

const hex32 = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/** Topic of a pairing or session: 32 bytes in hex. */
export const topic = hex32

/** Seconds of Unix time. */
export const timestamp = z.int().check(z.gte(0))

export const relay = z.object({ protocol: z.string(), data: z.optional(z.string()) })

const metadata = z.object({
  name: z.string(),
  description: z._default(z.string(), ''),
  url: z._default(z.string(), ''),
  icons: z._default(z.array(z.string()), []),
  verifyUrl: z.optional(z.string()),
  redirect: z.optional(
    z.object({
      native: z.optional(z.string()),
      universal: z.optional(z.string()),
      linkMode: z.optional(z.boolean()),
    }),
  ),
})
/** What an app or wallet says of itself: shown to people, trusted for nothing. */
export type Metadata = z.infer<typeof metadata>

/** X25519 public key (hex) of a peer and what it says of itself. */
export const peer = z.object({ publicKey: hex32, metadata })

export const publicKey = hex32

const names = z.array(z.string())

export const proposalNamespaces = z.record(
  z.string(),
  z.object({ chains: z.optional(names), methods: names, events: names }),
)
/** What an app asks for, by CAIP-2 namespace or chain (`eip155` with chains, or `eip155:1` without). */
export type ProposalNamespaces = z.infer<typeof proposalNamespaces>

export const sessionNamespaces = z.record(
  z.string(),
  z.object({ chains: z.optional(names), accounts: names, methods: names, events: names }),
)
/** What a wallet approved, by CAIP-2 namespace or chain; accounts are CAIP-10. */
export type SessionNamespaces = z.infer<typeof sessionNamespaces>

/** Free properties of a session; a value may be anything but null. */
export const properties = z.record(
  z.string(),
  z.unknown().check(z.refine((value) => value !== null && value !== undefined)),
)

/** The only answer of a method that has nothing to say. */
export const done = z.literal(true)
