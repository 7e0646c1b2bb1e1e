import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import { clientAddress, clientNetwork, type Origin } from '../http/clientAddress.ts'
import type { Activity, Asker } from './activity.ts'

/** The client of a request. */
export const getAsker = (
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  origin: Origin,
): Asker => ({
  address: toShortHash(clientAddress(origin, trustedProxies)),
  network: toShortHash(clientNetwork(origin, trustedProxies)),
})

const toShortHash = (text: string) => createHash('sha256').update(text).digest().readUInt16BE()

/** The same activity, with a client as the `asker` of all accounts. */
export const askedBy = <Part extends Pick<Activity, 'follow'>>(
  activity: Part,
  asker: Asker,
): Part => ({
  ...activity,
  follow: (account: Parameters<Activity['follow']>[0]) => activity.follow(account, asker),
})
