/** Rules of our own, where the small need does not justify a package. */
export const ours = {
  rules: {
    /** `eslint-disable` must say why after ` -- `: the reader cannot guess it. */
    'disable-with-reason': {
      meta: { type: 'problem', schema: [], messages: { missing: 'Say why after " -- ".' } },
      create: (context) => ({
        Program() {
          for (const comment of context.sourceCode.getAllComments()) {
            const isDirective = /^\s*eslint-disable/.test(comment.value);
            if (isDirective && !/ -- \S/.test(comment.value)) context.report({ loc: comment.loc, messageId: 'missing' });
          }
        },
      }),
    },
  },
};
