import { parseAst } from 'vite'

/** The kind of an element's child. A conditional child is sometimes absent. */
type Kind = 'text' | 'element' | 'conditional element' | 'conditional text' | 'other' | 'nothing'
type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown }

/** Calls and names whose value is a string on the screen. */
const textCalls = /^(?:t|text|format\w*|truncateAddress|shorten|String|getReason)$/
const textNames = /^(?:value|label|text|title|name|symbol|note|message|hint|amount|problem)$/

/**
 * Finds strings in JSX that fail when the browser translates the page. The browser replaces text
 * nodes that React later removes or uses as a place to insert an element. So a string next to a
 * conditional element, and a conditional string next to any node, needs its own element.
 */
export function looseTextFindings(path: string, source: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return void node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, start, children } = node as Node
    if (type === 'JSXElement' || type === 'JSXFragment') {
      const kinds = (children as Node[]).map(getKind).filter((kind) => kind !== 'nothing')
      const isLoose =
        (kinds.includes('text') && kinds.includes('conditional element')) ||
        (kinds.includes('conditional text') && kinds.length > 1)
      const line = source.slice(0, start).split('\n').length
      if (isLoose)
        found.push(`${path}:${line}: text next to a conditional element needs its own element`)
    }
    Object.values(node).forEach(visit)
  }
  visit(parseAst(source, { lang: 'tsx' }).body)
  return found
}

function getKind(child: Node): Kind {
  if (child.type === 'JSXText') return /\S/.test(String(child.value)) ? 'text' : 'nothing'
  if (child.type === 'JSXExpressionContainer') return ofExpression(child.expression as Node)
  return 'element'
}

function ofExpression(node: Node): Kind {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' && /\S/.test(node.value) ? 'text' : 'nothing'
    case 'TemplateLiteral':
      return 'text'
    case 'CallExpression':
      return textCalls.test(getName(node.callee as Node)) ? 'text' : 'other'
    case 'Identifier':
    case 'MemberExpression':
      return textNames.test(getName(node)) ? 'text' : 'other'
    case 'LogicalExpression':
      return node.operator === '&&' ? toConditional(ofExpression(node.right as Node)) : 'other'
    case 'ConditionalExpression':
      return ofBranches([node.consequent as Node, node.alternate as Node].map(ofExpression))
    case 'JSXElement':
    case 'JSXFragment':
      return 'element'
    case 'JSXEmptyExpression':
      return 'nothing'
    default:
      return 'other'
  }
}

const toConditional = (kind: Kind): Kind =>
  kind === 'text' || kind === 'element' ? `conditional ${kind}` : kind

function ofBranches(kinds: readonly Kind[]): Kind {
  const [first = 'other', second = 'other'] = kinds
  if (first === second) return first
  const kind = kinds.find((one) => one.endsWith('element')) ?? kinds.find((one) => one === 'text')
  return kind === undefined ? 'other' : toConditional(kind)
}

const getName = (node: Node): string => String((node.property as Node)?.name ?? node.name ?? '')
