/** The SDK warns of each Node that it will leave behind; Node 20 is enough for what is run here. */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
