import type { SessionEntry } from '@latchkey/wire'
import type { Request } from './request.ts'

/**
 * Permissions that a page requests, to act without further prompts (ERC-7715). `expiry`: seconds
 * since 1970.
 */
export type GrantRequest = {
  expiry: number
  /** The page's own key, which signs its actions. */
  signer: {
    type: 'keys'
    data: { keys: readonly { type: 'secp256k1' | 'secp256r1'; publicKey: string }[] }
  }
  permissions: SessionEntry['permissions']
}

/**
 * The granted permissions, which can be fewer than requested. `context` identifies the grant in
 * later requests.
 */
export type Grant = {
  context: string
  expiry: number
  permissions: SessionEntry['permissions']
}

/** Permissions for pages, in namespaces that support them. */
export type PermissionActions = {
  grant(parameters: {
    wallet: Request
    address: string
    chainId: string
    request: GrantRequest
  }): Promise<Grant>
  revoke(parameters: { wallet: Request; context: string }): Promise<void>
}
