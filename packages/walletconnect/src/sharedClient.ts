import type { Dapp, Wallet } from './client.ts'
import type { Engine } from './engine.ts'
import { deleteSession } from './rpc/sessionDelete.ts'
import { pingPeer } from './rpc/sessionPing.ts'
import { claimAnswers } from './send.ts'

type SharedName = Exclude<keyof Dapp & keyof Wallet, 'on'> & keyof Dapp

/** The functions that both roles share. */
export const createSharedClient = (engine: Engine): Pick<Dapp & Wallet, SharedName | 'on'> => ({
  sessions: () => engine.records.sessions.all().map(({ session }) => session),
  ping: (topic) => pingPeer(engine, topic),
  disconnect: (topic, reason) => deleteSession(engine, topic, reason),
  relayStatus: () => engine.relays.status(engine.relayUrl),
  revive() {
    engine.journal.catchUp()
    claimAnswers(engine)
    engine.syncTopics()
    engine.relays.revive()
  },
  on: engine.journal.on,
  close: () => engine.close(),
})
