import type { PeerMetadata } from '@latchkey/walletconnect'

const nameLimit = 80
const urlLimit = 200

/** The app's name, from its metadata. */
export const getAppName = ({ name }: PeerMetadata, otherwise: string): string =>
  name.trim().slice(0, nameLimit) || otherwise

/** The app's address, from its metadata (not verified). */
export const getAppUrl = ({ url }: PeerMetadata, otherwise: string): string =>
  url.trim().slice(0, urlLimit) || otherwise
