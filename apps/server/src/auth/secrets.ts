/** What a ciphertext belongs to: it opens under no other. Never with an address in it. */
type SealContext = Readonly<Record<string, string>>

/** The keys of the server, wherever they are kept. */
export type Secrets = {
  /** A keyed hash of 32 bytes, another for each purpose. */
  mac(purpose: string, data: string | Uint8Array): Promise<Uint8Array>
  seal(context: SealContext, data: Uint8Array): Promise<Uint8Array>
  /** Throws when `sealed` was changed or sealed under another context. */
  open(context: SealContext, sealed: Uint8Array): Promise<Uint8Array>
}
