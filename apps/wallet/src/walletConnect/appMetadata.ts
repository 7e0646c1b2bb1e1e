import type { Metadata } from '@latchkey/walletconnect'

const nameLimit = 80
const urlLimit = 200

/** The name an app gives itself. */
export const getAppName = ({ name }: Metadata, otherwise: string): string =>
  name.trim().slice(0, nameLimit) || otherwise

/** The address an app says it has. */
export const getAppUrl = ({ url }: Metadata, otherwise: string): string =>
  url.trim().slice(0, urlLimit) || otherwise
