import { checkProposal } from '@latchkey/walletconnect'
import { expect, test } from 'vitest'
import { allNetworks, latchkeyOne, latchkeyTwo, solana, solanaDevnet } from '../../../networks.ts'
import { getProposalNamespaces, toCurrentChainId } from './proposalNamespaces.ts'

test('default', () => {
  const { eip155, ...rest } = getProposalNamespaces([latchkeyOne, latchkeyTwo])
  expect(rest).toEqual({})
  expect(eip155?.chains).toEqual(['eip155:31337', 'eip155:31338'])
  expect(eip155?.methods).toHaveLength(24)
  expect(eip155?.events).toEqual(['accountsChanged', 'chainChanged'])
})

test('behavior: Solana is proposed with its older ids too', () => {
  expect(getProposalNamespaces([solana, solanaDevnet]).solana?.chains).toEqual([
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ',
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K',
  ])
  expect(toCurrentChainId('solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ')).toBe(
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  )
  expect(toCurrentChainId('eip155:1')).toBe('eip155:1')
})

test('behavior: the proposal for every known network is valid', () => {
  const optionalNamespaces = getProposalNamespaces(allNetworks)
  expect(checkProposal({ requiredNamespaces: {}, optionalNamespaces })).toBeUndefined()
})
