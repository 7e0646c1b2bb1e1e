/** A line, or a part of a line, that people read. */
export type ProseLine = {
  readonly line: number
  readonly text: string
  /** The columns of the line, if it has a comment. */
  readonly width?: number
  /** Whether the line continues the paragraph of the line before. */
  readonly isContinued: boolean
}

const isTest = /\.(test|spec)\.|\/test\/|^e2e\/|^bench\//
/** Files whose strings are read by people. */
const isTextFile =
  /\/locales\/|mailTexts|codeActions|walletMails|operatorMails|\/texts\.ts|errors\.ts$/
/** A string or the content of an element that begins as a sentence and has four words or more. */
const sentence =
  /(?:(['"`])([A-Z][a-z’']*(?: (?:(?!\1)[^\s<>])+){3,})\1|>([A-Z][a-z’']*(?: [^\s<>{}]+){3,})<)/g
const startsParagraph = /^(?:[-*#>|]|\d+\.|@\w)/

/** The kind of a file with sentences. Each kind has its own limits. */
export type ProseKind = 'product' | 'docs' | 'tests'

export const getKind = (path: string): ProseKind =>
  path.endsWith('.md') ? 'docs' : isTest.test(path) ? 'tests' : 'product'

/**
 * The lines that people read: comments, Markdown outside code, the content of HTML, titles of tests,
 * and strings that are sentences.
 */
export function readProse(path: string, source: string): ProseLine[] {
  if (path.endsWith('.md')) return readMarkdown(source)
  if (path.endsWith('.html')) return readHtml(source)
  return readCode(path, source)
}

function readMarkdown(source: string): ProseLine[] {
  let isFenced = false
  let isOpen = false
  return source.split('\n').flatMap((text, index) => {
    const isFence = text.startsWith('```')
    const isRead = !isFenced && !isFence
    if (isFence) isFenced = !isFenced
    const isContinued = isOpen && !startsParagraph.test(text.trim())
    isOpen = isRead && /\S/.test(text) && !/^[#|]/.test(text)
    return isRead ? [{ line: index + 1, text, isContinued }] : []
  })
}

function readHtml(source: string): ProseLine[] {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ')
  const content = source
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, blank)
    .replace(/<[^>]*>/g, blank)
  return content
    .split('\n')
    .map((text, index) => ({ line: index + 1, text, isContinued: false }))
    .filter(({ text }) => /\w \w/.test(text))
}

function readCode(path: string, source: string): ProseLine[] {
  let isInBlock = false
  let isOpen = false
  return source.split('\n').flatMap((content, index): ProseLine[] => {
    const line = index + 1
    const start = content.trim()
    const isBlock = isInBlock || start.startsWith('/*')
    if (start.startsWith('/*')) isInBlock = true
    if (start.includes('*/')) isInBlock = false
    if (isBlock || start.startsWith('//')) {
      const words = start.replace(/^(?:\/\*+|\*(?!\/)|\/\/)/, '').trim()
      const isContinued = isOpen && !startsParagraph.test(words)
      isOpen = /\w/.test(words) && !start.includes('*/')
      return [{ line, text: content, width: content.length, isContinued }]
    }
    isOpen = false
    const isTitle = isTest.test(path) && /^\s*(?:test|describe|it)\b.*['"`]/.test(content)
    const isString = isTextFile.test(path) && /['"`]/.test(content)
    const comment = content.search(/(?<![:'"`])\/\/ [A-Za-z]/)
    const trailing =
      comment < 0
        ? []
        : [{ line, text: content.slice(comment), width: content.length, isContinued: false }]
    if (isTitle || isString) return [{ line, text: content, isContinued: false }, ...trailing]
    const strings = [...content.matchAll(sentence)].map(([, , quoted, inElement]) => ({
      line,
      text: quoted ?? inElement ?? '',
      isContinued: false,
    }))
    return [...strings, ...trailing]
  })
}

/** A sentence of a paragraph, whose lines are joined, with the line on which it starts. */
export type Sentence = { readonly line: number; readonly words: number }

const end = /(?<=[.!?…][)"'’\]*_`]*)\s+|\s\|\s/

/** The sentences of paragraphs. Cells of tables are sentences too. */
export function readSentences(lines: readonly ProseLine[]): Sentence[] {
  const found: { line: number; words: number }[] = []
  let isEnded = true
  for (const { line, text, isContinued } of lines) {
    const plain = text.trim().replace(/^(?:\/\*+|\*(?!\/)|\/\/)|\*\/$/g, '')
    plain.split(end).forEach((part, index) => {
      const words = part.split(/\s+/).filter((word) => /\w/.test(word)).length
      const last = found.at(-1)
      if (index === 0 && isContinued && !isEnded && last) last.words += words
      else found.push({ line, words })
    })
    isEnded = /[.!?…][)"'’\]*_`]*$/.test(plain.trim())
  }
  return found
}
