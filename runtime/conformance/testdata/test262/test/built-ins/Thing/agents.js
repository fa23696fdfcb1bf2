/*---
description: A test of several agents, which is left out
---*/
$262.agent.start('$262.agent.leaving();');
