/** Key pair of 32-byte keys in hex; an Ed25519 private key is its seed. */
export type KeyPair = { readonly publicKey: string; readonly privateKey: string }

type Curve = 'X25519' | 'Ed25519'

/**
 * The Curve25519 operations that the protocol needs. Keys are hex. All reject (with any error) if a
 * key is malformed; `agree` also rejects a peer key that would make the shared secret public.
 */
export type Curves = {
  generate(curve: Curve): Promise<KeyPair>
  /** X25519 shared secret. */
  agree(privateKey: string, peerPublicKey: string): Promise<Uint8Array>
  sign(keys: KeyPair, data: Uint8Array): Promise<Uint8Array>
  verify(publicKey: string, signature: Uint8Array, data: Uint8Array): Promise<boolean>
}
