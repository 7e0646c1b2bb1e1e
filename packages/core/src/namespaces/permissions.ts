import type { SessionEntry } from '@latchkey/wire'
import type { Request } from './request.ts'

/** What a page asks to do without asking again (ERC-7715). `expiry`: seconds since 1970. */
export type GrantRequest = {
  expiry: number
  /** The page's own key, which signs what it does. */
  signer: {
    type: 'keys'
    data: { keys: readonly { type: 'secp256k1' | 'secp256r1'; publicKey: string }[] }
  }
  permissions: SessionEntry['permissions']
}

/** What was granted: maybe less than was asked for. `context` names it in all that follows. */
export type Grant = {
  context: string
  expiry: number
  permissions: SessionEntry['permissions']
}

/** Permissions for pages, where a namespace has them. */
export type PermissionActions = {
  grant(parameters: {
    wallet: Request
    address: string
    chainId: string
    request: GrantRequest
  }): Promise<Grant>
  revoke(parameters: { wallet: Request; context: string }): Promise<void>
}
