import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, base64url: access, refresh and known-device tokens. */
export const createToken = () => randomBytes(32).toString('base64url')

/** 128 random bits, base64url: logins, changes, and secrets of links. */
export const createHandle = () => randomBytes(16).toString('base64url')

/** The stored form of tokens and handles. They are random, so a plain SHA-256 is enough. */
export const hashToken = (token: string): Uint8Array => createHash('sha256').update(token).digest()
