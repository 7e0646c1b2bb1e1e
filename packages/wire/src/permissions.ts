/**
 * Smart sessions (ERC-7715): what a permission allows, and the delegations with which a chain
 * enforces it. A separate entry point, because it needs hash functions.
 */
export {
  type Delegation,
  type DelegationParameters,
  rootAuthority,
  toDelegation,
} from './permissions/delegations.ts'
export { permissionContracts } from './permissions/permissionContracts.ts'
export {
  type Permission,
  type PermissionGrant,
  permissionGrant,
  type SessionKey,
} from './permissions/permissionRequest.ts'
export {
  type Allowed,
  type ArgumentRule,
  formatArgument,
  maxSessionSeconds,
  readPermissions,
} from './permissions/readPermissions.ts'
