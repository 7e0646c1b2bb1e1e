import type {
  AuthRequest,
  PendingRequest,
  SessionProposal,
  WalletConnectSession,
} from '@latchkey/walletconnect'
import { expect, test } from 'vitest'
import { chooseItem, readQueue } from './readQueue.ts'

const proposal = (id: number) => ({ id }) as SessionProposal
const signIn = (id: number) => ({ id }) as AuthRequest
const request = (id: number, topic = 't', method = 'personal_sign') =>
  ({ id, topic, method }) as PendingRequest

const wallet = (has: {
  proposals?: SessionProposal[]
  signIns?: AuthRequest[]
  requests?: PendingRequest[]
}) => ({
  proposals: () => has.proposals ?? [],
  authRequests: () => has.signIns ?? [],
  requests: () => has.requests ?? [],
  sessions: () => [{ topic: 't' } as WalletConnectSession],
})
const keys = (items: { key: string }[]) => items.map(({ key }) => key)

test('default: everything that waits, oldest first', () => {
  const all = { proposals: [proposal(2)], signIns: [signIn(3)], requests: [request(1)] }
  expect(keys(readQueue(wallet(all)))).toEqual(['t:1', 'proposal:2', 'sign-in:3'])
})

test('behavior: silent and orphaned requests do not wait', () => {
  const requests = [request(2, 't', 'eth_accounts'), request(3, 'gone'), request(4)]
  expect(keys(readQueue(wallet({ requests })))).toEqual(['t:4'])
})

test('behavior: the item on the screen stays until it is decided', () => {
  const [one, two] = readQueue(wallet({ requests: [request(1), request(2)] }))
  if (!one || !two) throw new Error('two wait')
  expect(chooseItem([one, two], undefined)).toBe(one)
  expect(chooseItem([one, two], 't:2')).toBe(two)
  expect(chooseItem([one], 't:2')).toBe(one)
  expect(chooseItem([], 't:2')).toBeUndefined()
})
