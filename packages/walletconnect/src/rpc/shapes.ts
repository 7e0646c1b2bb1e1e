import {
  array,
  boolean,
  defined,
  type Infer,
  literal,
  nonNegative,
  object,
  optional,
  pattern,
  record,
  string,
  withDefault,
} from '../shape.ts'

const hex32 = pattern(/^[0-9a-f]{64}$/)

/** Topic of a pairing or session: 32 bytes in hex. */
export const topic = hex32

/** Seconds of Unix time. */
export const timestamp = nonNegative

export const relay = object({ protocol: string, data: optional(string) })

export const metadata = object({
  name: string,
  description: withDefault(string, ''),
  url: withDefault(string, ''),
  icons: withDefault(array(string), []),
  verifyUrl: optional(string),
  redirect: optional(
    object({
      native: optional(string),
      universal: optional(string),
      linkMode: optional(boolean),
    }),
  ),
})
/** How an app or wallet describes itself: shown to users, never trusted. */
export type PeerMetadata = Infer<typeof metadata>

/** X25519 public key (hex) and metadata of a peer. */
export const peer = object({ publicKey: hex32, metadata })

export const publicKeyShape = hex32

const names = array(string)

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
export const properties = record(defined)

/** The response of a method without a result. */
export const done = literal(true)
