/**
 * Forbids a component to read a derived value or a prop after an answer has come.
 *
 * By then the component may be gone. A derived value of it, or of the one above that a prop comes from, is no longer
 * kept up to date, and Svelte warns with derived_inert. And where the component is still there, the value may belong to
 * something else than was asked about. So it is read before: `const { table } = line;`.
 */

// objects that live as long as their page
const LASTING = ['CardDesk', 'Console', 'Live', 'Receipts', 'Rules', 'TableLive'];

export default {
  meta: {
    type: 'problem',
    docs: { description: 'read derived values and props before await' },
    messages: { late: '{{name}} may be outdated or gone after await: read it before' },
    schema: [],
  },
  create(context) {
    const { sourceCode } = context;
    return {
      'Program:exit'(program) {
        for (const scope of sourceCode.scopeManager.scopes) {
          for (const variable of scope.variables) {
            if (!variable.defs.some((def) => isReactive(def, program))) continue;
            for (const reference of variable.references) {
              if (reference.isRead() && isLate(reference.identifier, sourceCode))
                context.report({ node: reference.identifier, messageId: 'late', data: { name: variable.name } });
            }
          }
        }
      },
    };
  },
};

/** Whether a variable is derived, or a prop that is neither a function nor lasting. */
function isReactive(def, program) {
  if (def.type !== 'Variable' || !def.node.init) return false;
  const called = def.node.init.callee;
  const rune = called?.type === 'MemberExpression' ? called.object.name : called?.name;
  if (rune === '$derived') return true;
  return rune === '$props' && !lasts(def, program);
}

function lasts(def, program) {
  const annotation = def.node.id.typeAnnotation?.typeAnnotation;
  const members = annotation?.members ?? interfaceNamed(annotation?.typeName?.name, program)?.body.body ?? [];
  const type = members.find((each) => each.key?.name === keyOf(def))?.typeAnnotation?.typeAnnotation;
  return type?.type === 'TSFunctionType' || LASTING.includes(type?.typeName?.name);
}

function keyOf(def) {
  const property = def.node.id.properties?.find((each) => each.value === def.name || each.value?.left === def.name);
  return property?.key.name;
}

function interfaceNamed(name, program) {
  const scripts = program.body.flatMap((each) => (each.type === 'SvelteScriptElement' ? each.body : [each]));
  return scripts.find((each) => each.type === 'TSInterfaceDeclaration' && each.id.name === name);
}

/** Whether something is read after an await of its own function, or when a promise is kept. */
function isLate(identifier, sourceCode) {
  for (let node = identifier; node.parent; node = node.parent) {
    const { parent } = node;
    if (parent.type === 'CallExpression' && parent.callee.property?.name === 'then' && parent.arguments.includes(node))
      return true;
    if (/Function/.test(node.type)) return node.async && awaitsBefore(node.body, identifier, sourceCode);
  }
  return false;
}

/** Whether something within a function, and not within a function in it, is awaited before a place. */
function awaitsBefore(node, identifier, sourceCode) {
  if (node.range[0] >= identifier.range[0]) return false;
  if (node.type === 'AwaitExpression' && node.range[1] <= identifier.range[0]) return true;
  return (sourceCode.visitorKeys[node.type] ?? [])
    .flatMap((key) => node[key] ?? [])
    .some((child) => child && !/Function/.test(child.type) && awaitsBefore(child, identifier, sourceCode));
}
