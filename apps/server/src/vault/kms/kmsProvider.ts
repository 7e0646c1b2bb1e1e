/**
 * The three keys of a server. They are independent; a KMS that can separate principals lets a
 * different one read each.
 */
export const kmsPurposes = ['auth-share', 'recovery', 'lookup'] as const
export type KmsPurpose = (typeof kmsPurposes)[number]

/**
 * The owner of a wrapped key. It is bound to the key and appears in the log of the KMS, so it never
 * contains an email address.
 */
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
  /** Key and version, for example `auth-share/2`. */
  readonly keyId: string
}

/**
 * Holds the server's keys. Every method rejects with `VAULT_UNAVAILABLE` if they cannot be used.
 */
export type KmsProvider = {
  readonly id: string
  /**
   * Creates a key of 32 bytes. Returns it in plain and wrapped with the current version of the
   * purpose's key.
   */
  generateDataKey(context: KmsContext): Promise<DataKey>
  /**
   * Also rejects if `wrapped` was changed, belongs to another context, or if the user's key is
   * shredded.
   */
  unwrap(wrapped: Uint8Array, context: KmsContext): Promise<Uint8Array>
  /** Wraps the same key with the current version. Undefined if it is current already. */
  rewrap(
    wrapped: Uint8Array,
    context: KmsContext,
  ): Promise<{ wrapped: Uint8Array; keyId: string } | undefined>
  /**
   * HMAC-SHA256 with the first version of `lookup`, different for each purpose. The result never
   * changes.
   */
  mac(purpose: string, data: string | Uint8Array): Promise<Uint8Array>
  /** From now on no key of this user unwraps, not even from a backup. */
  shred(userId: string): Promise<void>
  /**
   * Fingerprints of the first version of each key, which identify the keyring. Rejects if a key is
   * missing.
   */
  health(): Promise<Readonly<Record<KmsPurpose, Uint8Array>>>
}
