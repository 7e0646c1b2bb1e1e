/**
 * Connectors that apps choose: pass them to `wallets.connectors` of the config. Each loads its code
 * when it is used.
 */
export { type ExternalParameters, external } from './namespaces/eip155/connector/external.ts'
export { safe } from './namespaces/eip155/connector/safe/safe.ts'
