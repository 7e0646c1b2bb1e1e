import { expect, test } from 'vitest'
import { latchkeyOne, mainnet, solana, solanaDevnet } from '../networks.ts'
import { explorerUrl } from './explorerUrl.ts'

test('default', () => {
  expect(explorerUrl(mainnet, { address: '0xa' })).toBe('https://etherscan.io/address/0xa')
  expect(explorerUrl(mainnet, { hash: '0xb' })).toBe('https://etherscan.io/tx/0xb')
  expect(explorerUrl(solana, { address: 'a' })).toBe('https://solscan.io/account/a')
  expect(explorerUrl(solanaDevnet, { hash: 'b' })).toBe('https://solscan.io/tx/b?cluster=devnet')
})

test('behavior: only https, and only if the network has an explorer', () => {
  expect(explorerUrl(latchkeyOne, { hash: 'b' })).toBeUndefined()
  const blockExplorer = { name: '', url: 'javascript:alert(1)//' }
  expect(explorerUrl({ ...mainnet, blockExplorer }, { hash: 'b' })).toBeUndefined()
})
