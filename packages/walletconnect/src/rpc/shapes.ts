import {
  boolean,
  count,
  exactly,
  type Infer,
  list,
  matching,
  object,
  optional,
  otherwise,
  record,
  something,
  text,
} from '../shape.ts'

const hex32 = matching(/^[0-9a-f]{64}$/)

/** Topic of a pairing or session: 32 bytes in hex. */
export const topic = hex32

/** Seconds of Unix time. */
export const timestamp = count

export const relay = object({ protocol: text, data: optional(text) })

export const metadata = object({
  name: text,
  description: otherwise(text, ''),
  url: otherwise(text, ''),
  icons: otherwise(list(text), []),
  verifyUrl: optional(text),
  redirect: optional(
    object({
      native: optional(text),
      universal: optional(text),
      linkMode: optional(boolean),
    }),
  ),
})
/** How an app or wallet describes itself: shown to users, never trusted. */
export type Metadata = Infer<typeof metadata>

/** X25519 public key (hex) and metadata of a peer. */
export const peer = object({ publicKey: hex32, metadata })

export const publicKey = hex32

const names = list(text)

export const proposalNamespaces = record(
  object({ chains: optional(names), methods: names, events: names }),
)
/**
 * The namespaces that an app proposes, by CAIP-2 namespace or chain (`eip155` with chains, or
 * `eip155:1` without).
 */
export type ProposalNamespaces = Infer<typeof proposalNamespaces>

export const sessionNamespaces = record(
  object({ chains: optional(names), accounts: names, methods: names, events: names }),
)
/** The namespaces that a wallet approved, by CAIP-2 namespace or chain. Accounts are CAIP-10. */
export type SessionNamespaces = Infer<typeof sessionNamespaces>

/** Free properties of a session; a value may be anything but null. */
export const properties = record(something)

/** The response of a method without a result. */
export const done = exactly(true)
