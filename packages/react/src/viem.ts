/** Hooks for apps that use viem, apart from the rest, so that other apps do not load viem. */
export { toViemChain } from './viem/toViemChain.ts'
export { usePublicClient } from './viem/usePublicClient.ts'
export { useWalletClient } from './viem/useWalletClient.ts'
