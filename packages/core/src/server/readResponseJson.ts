import { parseBoundedJson } from '@latchkey/wire'

/**
 * The maximum length of a response in characters. The longest response of our server is a page of
 * assets.
 */
const maxCharacters = 4_194_304

/**
 * Reads a response of our server or of a bundler. Throws if it is longer than 4,194,304 characters,
 * not JSON or nested deeper than 64 levels.
 */
export async function readResponseJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text.length > maxCharacters) throw new RangeError('The response is too long')
  return parseBoundedJson(text)
}
