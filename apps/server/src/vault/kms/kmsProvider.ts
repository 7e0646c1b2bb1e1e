/** The three keys of a server, each independent of the others and readable by another principal where the KMS can. */
export const kmsPurposes = ['auth-share', 'recovery', 'lookup'] as const
export type KmsPurpose = (typeof kmsPurposes)[number]

/** What a wrapped key belongs to, bound to it and seen by the KMS's own log: so never an e-mail address. */
export type KmsContext = {
  readonly purpose: KmsPurpose
  readonly userId?: string
  readonly walletId?: string
  readonly realm?: string
  readonly use?: string
}

type DataKey = {
  readonly plaintext: Uint8Array
  readonly wrapped: Uint8Array
  /** Key and version, as `auth-share/2`. */
  readonly keyId: string
}

/** Where the server's keys are. Every method rejects with `VAULT_UNAVAILABLE` when they cannot be used. */
export type KmsProvider = {
  readonly id: string
  /** A fresh key of 32 bytes, and the same under the current version of the purpose's key. */
  generateDataKey(context: KmsContext): Promise<DataKey>
  /** Rejects as well when `wrapped` was changed, or wrapped under another context, or the user is shredded. */
  unwrap(wrapped: Uint8Array, context: KmsContext): Promise<Uint8Array>
  /** The same key under the current version, or undefined where it is that already. */
  rewrap(
    wrapped: Uint8Array,
    context: KmsContext,
  ): Promise<{ wrapped: Uint8Array; keyId: string } | undefined>
  /** HMAC-SHA256 under the first version of `lookup`, another for each purpose: it never changes. */
  mac(purpose: string, data: string | Uint8Array): Promise<Uint8Array>
  /** From now on nothing of this user unwraps, not from a backup either. */
  shred(userId: string): Promise<void>
  /** Fingerprints of the first version of each key: another keyring has others. Rejects when a key is away. */
  health(): Promise<Readonly<Record<KmsPurpose, Uint8Array>>>
}
