export type { DevAccount } from './chains/accounts.ts'
export { chainDefinitions, type DevChainId, devChainIds } from './chains/definitions.ts'
export { type Chains, startChains } from './chains/startChains.ts'
export type { Addresses } from './contracts/plan.ts'
